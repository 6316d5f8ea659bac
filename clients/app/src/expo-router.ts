import type { Signpost } from './create-signpost.js';

/**
 * Returns the function that `app/+native-intent.ts` exports as `redirectSystemPath`. Links of the project become routes after the time
 * limit at the latest. Other URLs stay as they are.
 */
export const redirectSystemPath =
  (signpost: Signpost) =>
  async ({ path }: { path: string; initial: boolean }): Promise<string> => {
    try {
      return (await signpost.resolve(path))?.route ?? path;
    } catch {
      // An error here would end the app.
      return path;
    }
  };

interface Router {
  navigate(href: string): void;
}

/**
 * Navigates to the deferred link when it is claimed, unless it is late. Direct links come through `redirectSystemPath`. Returns a
 * function that ends it, for an effect of the root layout.
 * @param router `useRouter()` of Expo Router
 */
export const followDeferredLinks = (signpost: Signpost, router: Router): (() => void) =>
  signpost.onLink(({ type, late, route }) => {
    if (type === 'deferred' && !late) router.navigate(route);
  });
