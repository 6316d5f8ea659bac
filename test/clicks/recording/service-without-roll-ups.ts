import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { clicksOn } from './counting';

export interface ServiceWithoutRollUps {
  on: TestService;
  account: TestAccount;
  clicks: ReturnType<typeof clicksOn>;
  /** Removes all clicks and their sums. */
  clear: () => Promise<unknown>;
  stop: () => Promise<void>;
}

/** Starts a service whose clicks are rolled up only when a test does it. */
export async function aServiceWithoutRollUps(): Promise<ServiceWithoutRollUps> {
  const on = await aService();
  await on.service.app.get(ClickUpkeep).stop();
  const account = await on.anAccount('enterprise');
  const clicks = clicksOn(on.database);
  return {
    on,
    account,
    clicks,
    clear: () =>
      on.database.query('TRUNCATE clicks, fresh_click_batches, clicks_by_day, clicks_by_quarter, clicks_by_link'),
    stop: async () => {
      await clicks.close();
      await on.stop();
    },
  };
}
