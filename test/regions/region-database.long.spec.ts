import { newId } from '../../src/shared/id';
import { createDatabase } from '../support/database';
import { aService } from '../support/service';
import { fixture } from '../support/fixtures';

const database = fixture(() => createDatabase());
beforeAll(async () => {
  await database.query("INSERT INTO this_region (code, name, writer) VALUES (3, 'eu', $1)", [newId()]);
});

const refusal =
  'DATABASE_URL: the database is the region eu; set PRIMARY_DATABASE_URL and ROLE=traffic, or use the database of the primary';

test.each(['all', 'api', 'traffic'])('a process of the role %s refuses the database of a region', async (ROLE) => {
  await expect(aService({ ROLE }, database)).rejects.toThrow(refusal);
});
