import { AccountsService } from '../management-api/accounts/accounts.service';
import { ApiKeysService } from '../management-api/api-keys/api-keys.service';
import { AdminModule } from './admin.module';
import { withContext } from './command-context';
import { readConfig } from './config';

/** The application services that administration uses. */
export interface AdminServices {
  accounts: AccountsService;
  keys: ApiKeysService;
}

/** Opens the application services on the configured database, runs `work` and closes them. */
export async function withServices<T>(work: (services: AdminServices) => Promise<T>): Promise<T> {
  return withContext(
    readConfig(),
    (environment) => AdminModule.with(environment),
    (app) => work({ accounts: app.get(AccountsService), keys: app.get(ApiKeysService) }),
  );
}
