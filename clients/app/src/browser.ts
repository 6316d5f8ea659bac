import type { Platform, SignpostStorage } from './options.js';

/** Returns the platform of a web app. It has no store, so it reads no clipboard, and opens are not counted. */
export const browser = (): Platform => ({
  app: null,
  links: {
    getInitialURL: () => location.href,
    subscribe(listener) {
      const onChange = () => listener(location.href);
      addEventListener('popstate', onChange);
      return () => removeEventListener('popstate', onChange);
    },
  },
});

/** Stores in `localStorage`, which the browser may refuse. */
export const browserStorage: SignpostStorage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
};
