// SPDX-License-Identifier: MIT
// node server.mjs [PORT], on the best device of the machine (ANYCL_DEVICE chooses another).
import { open } from 'anycl';
import { buildApp } from './app.mjs';

const app = await buildApp(await open());
console.log(await app.listen({ port: Number(process.argv[2] ?? 3000) }));
