// A program of a thread for worker-thread.process.spec.ts.
const { parentPort, workerData } = require('node:worker_threads');
const { answerCalls } = require('../../../build/platform/threads/answer-calls.js');
const { InvalidInput } = require('../../../build/shared/problem.js');

let taken = 0;

answerCalls(
  parentPort,
  {
    length: async (_, chunks) => {
      let length = 0;
      for await (const chunk of chunks) length += chunk.length;
      return length;
    },
    first: async (_, chunks) => {
      for await (const chunk of chunks) {
        taken++;
        return chunk.toString();
      }
    },
    taken: () => taken,
    refuse: (path) => {
      throw InvalidInput.asAWhole('too_small', 'The file has no rows', [path]);
    },
    fill: () => {
      const all = [];
      for (;;) all.push(new Array(10_000).fill(all.length));
    },
    never: () => new Promise(() => setInterval(() => {}, 1000)),
    data: () => workerData,
  },
  async () => {},
);
