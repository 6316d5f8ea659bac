import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import { newId } from '../../../src/shared/id';
import { createDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { aService } from '../../support/service';
import { aClick, anOpenedLink, clicksOn } from './counting';
import { fixture } from '../../support/fixtures';

const database = fixture(() => createDatabase());

test('a process stops in the middle of a roll-up that takes long', async () => {
  const on = await aService({}, database);
  const clicks = clicksOn(database);
  await clicks.write([aClick({ at: Date.now(), projectId: newId(), link: anOpenedLink() })]);
  await clicks.close();
  await database.query(`
    UPDATE fresh_click_batches SET written_at = now() - interval '1 hour';
    CREATE OR REPLACE FUNCTION roll_up_fresh_clicks(most_clicks integer) RETURNS integer
    LANGUAGE sql AS 'SELECT 1 FROM pg_sleep(600)'`);
  const rollUps = () =>
    database.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%SELECT roll_up_fresh_clicks%' AND pid <> pg_backend_pid()`,
    );
  void on.service.app.get(ClickUpkeep).sweep();
  await eventually(async () => (await rollUps()).length === 1);
  await on.stop();
  expect(await rollUps()).toHaveLength(1);
});
