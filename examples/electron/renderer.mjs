// SPDX-License-Identifier: MIT
const element = (id) => document.getElementById(id);
const context = element('picture').getContext('2d');
let original;

async function draw() {
  if (original === undefined) return;
  try {
    const pixels = await window.compute.brighten(
      new Uint8Array(original.data),
      Number(element('factor').value),
    );
    context.putImageData(new ImageData(new Uint8ClampedArray(pixels), original.width, original.height), 0, 0);
    element('problem').textContent = '';
  } catch (error) {
    element('problem').textContent = error.message;
  }
}

element('file').addEventListener('change', async ({ target }) => {
  try {
    const image = await createImageBitmap(target.files[0]);
    Object.assign(element('picture'), { width: image.width, height: image.height });
    context.drawImage(image, 0, 0);
    original = context.getImageData(0, 0, image.width, image.height);
    await draw();
  } catch {
    element('problem').textContent = 'this file is not an image';
  }
});
element('factor').addEventListener('input', draw);
const { name } = await window.compute.device();
element('device').textContent = `on ${name}`;
