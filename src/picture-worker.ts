import { parentPort } from 'node:worker_threads';
import { convertPicture, fitPicture } from './links/pictures/picture-codec';
import type { PictureTask } from './links/pictures/picture-thread';

// The program of a thread that works on one picture (`PictureThread`). The listener keeps it running, which the start of a decoder does not.
parentPort!.on('message', ({ bytes, side }: PictureTask) => {
  const picture = Buffer.from(bytes);
  const result: Promise<unknown> = side === null ? convertPicture(picture) : fitPicture(picture, side);
  void result.then((value) => parentPort!.postMessage(value));
});
