// SPDX-License-Identifier: MIT
//
// Sources that the build puts into the page as text.
declare module '*.cl' {
  const text: string;
  export default text;
}
