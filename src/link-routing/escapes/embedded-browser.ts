import { appVersionOf } from '../visitor/in-app-browsers';
import { systemOf } from '../visitor/system';
import type { Visitor } from '../visitor/visitor';

/** The browser of an app, by which ways out of it are chosen and counted. */
export interface EmbeddedBrowser {
  /** A name of `in-app-browsers.ts`. */
  app: string;
  platform: 'ios' | 'android';
  /** Major version of the app; 0 if it is unknown. */
  version: number;
  /** Major version of the system; 0 if it is unknown. */
  system: number;
}

/** Returns null for ordinary browsers, robots and desktops. A Macintosh may be an iPad. */
export function embeddedBrowserOf(visitor: Visitor, userAgent: string, clientHint: string): EmbeddedBrowser | null {
  const { browser: app, inAppBrowser, macintosh, platform } = visitor;
  const phone = macintosh ? 'ios' : platform;
  if (!inAppBrowser || app === null || phone === 'desktop') return null;
  const system = systemOf(visitor, userAgent, clientHint).version?.[0] ?? 0;
  return { app, platform: phone, version: appVersionOf(app, userAgent), system };
}
