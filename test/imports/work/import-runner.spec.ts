import { ImportCounts } from '../../../src/imports/model/import-processes';
import type { ImportBatchService } from '../../../src/imports/work/import-batch.service';
import { ImportRunnerService } from '../../../src/imports/work/import-runner.service';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';

test('a batch that waits too long for bulk requests is repeated later, and refuses no row', async () => {
  const refused: string[] = [];
  const batch = {
    run: async () => {
      throw new ConcurrencyLimited();
    },
    refuseNext: async (id: string) => {
      refused.push(id);
      return null;
    },
  };
  const runner = new ImportRunnerService(batch as unknown as ImportBatchService, new ImportCounts());
  for (let slice = 0; slice < 20; slice++)
    await expect(runner.runSlice('import')).rejects.toBeInstanceOf(ConcurrencyLimited);
  expect(refused).toEqual([]);
});
