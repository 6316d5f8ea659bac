import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import { accountFixture, serviceFixture } from '../../support/fixtures';
import { clicksFixture } from './counting';

/** Starts a service whose clicks are rolled up only when a test does it. `clear` removes all clicks and their sums. */
export function serviceWithoutRollUps() {
  const on = serviceFixture();
  beforeAll(() => on.service.app.get(ClickUpkeep).stop());
  return {
    on,
    account: accountFixture(on),
    clicks: clicksFixture(on),
    clear: () =>
      on.database.query('TRUNCATE clicks, fresh_click_batches, clicks_by_day, clicks_by_quarter, clicks_by_link'),
  };
}
