import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app/app.css';
import { App } from './app/app';
import { styleNonce } from './app/settings';
import { session } from './session/session';

// The library that stops the page from scrolling behind dialogs reads the nonce of its style here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
void session.start();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
