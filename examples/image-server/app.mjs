// SPDX-License-Identifier: MIT
// POST /images?width=320&height=200&filter=grey with a PNG gives a PNG. Wrong requests get a clear answer of 4xx, and 503 when too
// much is on its way.
import fastify from 'fastify';
import { PNG } from 'pngjs';
import { BusyError, FILTERS, ImageFilter } from './filter.mjs';

const MOST_PIXELS = 4096 * 4096;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The offset of the byte that says how the rows are ordered. */
const INTERLACE = 28;

const QUERY = {
  type: 'object',
  additionalProperties: false,
  required: ['width', 'height'],
  properties: {
    width: { type: 'integer', minimum: 1, maximum: 4096 },
    height: { type: 'integer', minimum: 1, maximum: 4096 },
    filter: { type: 'string', enum: FILTERS, default: 'none' },
  },
};

class BadImage extends Error {
  statusCode = 422;
}

/** The size is in the first chunk: it is looked at before anything is decoded, as small files can hold huge images. */
function decode(bytes) {
  if (!Buffer.isBuffer(bytes) || bytes.length <= INTERLACE || !bytes.subarray(0, 8).equals(SIGNATURE))
    throw new BadImage('the body is not a PNG');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width * height > MOST_PIXELS)
    throw new BadImage(`the image has ${width} × ${height} pixels; ${MOST_PIXELS} are allowed`);
  // pngjs decompresses these without a limit, whatever their size: a body of a megabyte can hold a gigabyte.
  if (bytes[INTERLACE] !== 0) throw new BadImage('the PNG is interlaced; save it without interlacing');
  try {
    return PNG.sync.read(bytes);
  } catch (error) {
    throw new BadImage(`the PNG is damaged: ${error.message}`);
  }
}

export async function buildApp(cl, { atATime, bodyLimit = 32 * 2 ** 20 } = {}) {
  const images = await ImageFilter.create(cl, { atATime });
  // Unknown parameters are mistakes of the caller; Fastify would remove them.
  const app = fastify({ bodyLimit, ajv: { customOptions: { removeAdditional: false } } });
  app.server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimit) response.writeContinue();
    app.server.emit('request', request, response);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('image/png', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.get('/device', async () => ({ name: cl.device.name, type: cl.device.type }));
  app.post('/images', { schema: { querystring: QUERY } }, async (request, reply) => {
    const leave = images.enter();
    try {
      const { width, height, filter } = request.query;
      const { width: w, height: h, data } = decode(request.body);
      const pixels = await images.apply({ width: w, height: h, data }, { width, height, filter });
      const result = new PNG({ width, height });
      result.data.set(pixels);
      return reply.type('image/png').send(PNG.sync.write(result));
    } finally {
      leave();
    }
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof BusyError)
      return reply.code(503).header('retry-after', '1').send({ error: error.message });
    const status = error.statusCode ?? 500;
    return reply
      .code(status)
      .send({ error: status < 500 ? error.message : 'the image could not be computed' });
  });
  app.addHook('onClose', () => cl.close());
  return app;
}
