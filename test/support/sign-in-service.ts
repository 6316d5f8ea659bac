import type { TestDatabase } from './database';
import { IdentityProvider } from './identity-provider';
import { aService, type TestService } from './service';
import { fixture } from './fixtures';

/** A service that trusts an identity provider. */
export interface SignInService extends TestService {
  provider: IdentityProvider;
}

/** Starts an identity provider and a service that trusts it. `stop` ends both. */
export async function aSignInService(settings: Record<string, string> = {}, on?: TestDatabase): Promise<SignInService> {
  const provider = await IdentityProvider.start();
  const service = await aService({ ...provider.environment, ...settings }, on);
  const stop = async (): Promise<void> => {
    await service.stop();
    await provider.stop();
  };
  return { ...service, provider, stop };
}

/** Starts both before the tests of a file, and stops them after these. */
export const signInFixture = (settings: Record<string, string> | (() => Record<string, string>) = {}): SignInService =>
  fixture(() => aSignInService(typeof settings === 'function' ? settings() : settings));
