import { parentPort } from 'node:worker_threads';
import { convertPicture } from './links/pictures/picture-codec';

// The program of a thread that converts one picture (`PictureThread`). The listener keeps it running, which the start of a decoder does not.
parentPort!.on('message', (bytes: Uint8Array) => {
  void convertPicture(Buffer.from(bytes)).then((converted) => parentPort!.postMessage(converted));
});
