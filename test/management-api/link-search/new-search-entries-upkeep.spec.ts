import { NewSearchEntriesUpkeep } from '../../../src/management-api/link-search/new-search-entries-upkeep';

let moves: { resolve: () => void; reject: (error: Error) => void }[];
let errors: unknown[];
let upkeep: NewSearchEntriesUpkeep;

beforeEach(() => {
  jest.useFakeTimers();
  moves = [];
  errors = [];
  upkeep = new NewSearchEntriesUpkeep(
    { move: () => new Promise((resolve, reject) => moves.push({ resolve, reject })) },
    (error) => errors.push(error),
  );
});
afterEach(() => jest.useRealTimers());

/** Stops the upkeep during a move, and lets so many milliseconds pass. Returns whether the stop has ended by then. */
async function stop(): Promise<{ hasEndedAfter: (milliseconds: number) => Promise<boolean> }> {
  await jest.advanceTimersByTimeAsync(1000);
  let ended = false;
  void upkeep.stop().then(() => (ended = true));
  return { hasEndedAfter: (milliseconds) => jest.advanceTimersByTimeAsync(milliseconds).then(() => ended) };
}

test('entries are moved every second, by one statement at a time', async () => {
  await jest.advanceTimersByTimeAsync(999);
  expect(moves).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(3001);
  expect(moves).toHaveLength(1);
  moves[0]!.resolve();
  await jest.advanceTimersByTimeAsync(1000);
  expect(moves).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('a failed move is reported, and repeated after ten seconds', async () => {
  await jest.advanceTimersByTimeAsync(1000);
  moves[0]!.reject(new Error('the server stopped'));
  await jest.advanceTimersByTimeAsync(9000);
  expect(errors).toEqual([new Error('the server stopped')]);
  expect(moves).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1000);
  expect(moves).toHaveLength(2);
});

test('a stop waits for the move that runs, and begins no other one', async () => {
  const stopping = await stop();
  expect(await stopping.hasEndedAfter(0)).toBe(false);
  moves[0]!.resolve();
  expect(await stopping.hasEndedAfter(0)).toBe(true);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(moves).toHaveLength(1);
});

test('a stop leaves a move alone that takes longer than five seconds', async () => {
  const stopping = await stop();
  expect(await stopping.hasEndedAfter(4999)).toBe(false);
  expect(await stopping.hasEndedAfter(1)).toBe(true);
});
