import { createRequire } from 'node:module';

interface Scale {
  axisValues(max: number): number[];
  labelledPoints(points: number, width: number, labelWidth: number): number[];
}

/** The console has other TypeScript settings, which an import would not follow. */
const { axisValues, labelledPoints } = createRequire(__filename)('../../console/src/clicks/chart-scale') as Scale;

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [5, [0, 1, 2, 3, 4, 5]],
  [6, [0, 2, 4, 6]],
  [37, [0, 10, 20, 30, 40]],
  [51, [0, 20, 40, 60]],
  [1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
])('the axis of a chart up to %i is %j', (max, values) => expect(axisValues(max)).toEqual(values));

test('the axis reaches every maximum in at most five steps of whole numbers', () => {
  for (let max = 0; max < 3000; max++) {
    const values = axisValues(max);
    expect([max, values.at(-1)! >= max, values.length <= 6, values.every(Number.isInteger)]).toEqual([
      max,
      true,
      true,
      true,
    ]);
  }
});

test.each([
  ['each point', 7, 700, [0, 1, 2, 3, 4, 5, 6]],
  ['every other point', 7, 400, [0, 2, 4, 6]],
  ['the first point only', 7, 50, [0]],
  ['no point', 0, 700, []],
])('a chart labels %s', (_, points, width, labelled) => expect(labelledPoints(points, width, 80)).toEqual(labelled));
