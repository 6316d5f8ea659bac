/**
 * The stylesheet of all pages. Contrast is at least 4.5:1 in both colour schemes (WCAG 2.2, 1.4.3), buttons are at least
 * 44 px (2.5.5). The QR code is hidden on narrow screens and on touch-only screens, because the visitor holds the phone.
 */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f2f4f7;
  --card: #ffffff;
  --line: #dfe3e9;
  --edge: #c3cad4;
  --text: #14181f;
  --quiet: #505a68;
  --accent: #2450d3;
  --on-accent: #ffffff;
  --shadow: 0 1px 2px rgb(20 24 31 / .06), 0 12px 32px rgb(20 24 31 / .08);
  font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1015;
    --card: #171b22;
    --line: #2c333e;
    --edge: #465160;
    --text: #eef1f5;
    --quiet: #a8b1be;
    --accent: #9db8ff;
    --on-accent: #0c1530;
    --shadow: 0 12px 32px rgb(0 0 0 / .4);
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  padding: 1rem;
  display: grid;
  place-items: center;
  background: var(--page);
  color: var(--text);
  -webkit-font-smoothing: antialiased;
}
main {
  width: 100%;
  max-width: 26rem;
  overflow: hidden;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 1.25rem;
  box-shadow: var(--shadow);
  text-align: center;
  overflow-wrap: anywhere;
}
.picture { position: relative; overflow: hidden; aspect-ratio: 1.91; background: linear-gradient(160deg, var(--page), var(--line)); }
.picture img { position: absolute; top: 50%; left: 0; width: 100%; min-height: calc(100% + 1px); object-fit: cover; transform: translateY(-50%); }
.content { padding: 2rem 1.5rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; text-wrap: balance; }
p { margin: 0; }
.above { margin-bottom: .375rem; font-size: .875rem; font-weight: 550; color: var(--quiet); }
.description { margin-top: .625rem; color: var(--quiet); text-wrap: balance; white-space: pre-line; }
.buttons { display: grid; gap: .75rem; margin-top: 1.75rem; }
.button {
  display: grid;
  place-items: center;
  min-height: 3.25rem;
  padding: .5rem .75rem;
  border: 1px solid var(--edge);
  border-radius: .875rem;
  color: var(--text);
  font-weight: 600;
  text-decoration: none;
  text-wrap: balance;
  transition: filter .15s, transform .15s;
  -webkit-tap-highlight-color: transparent;
  touch-action: manipulation;
}
.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.button:hover { filter: brightness(1.08); text-decoration: underline; text-underline-offset: .2em; }
.button:active { transform: scale(.985); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
button.button { width: 100%; font: inherit; font-weight: 600; cursor: pointer; }
.field { display: grid; gap: .375rem; margin-top: 1.5rem; text-align: start; font-weight: 550; }
.field input { min-height: 3.25rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .875rem; background: var(--page); color: var(--text); font: inherit; }
dl, ul { margin: 1.25rem 0 0; padding: 0; text-align: start; font-size: .9375rem; }
dt { margin-top: .75rem; font-size: .875rem; color: var(--quiet); }
dd { margin: 0; }
h2 { margin: 1.5rem 0 0; text-align: start; font-size: 1rem; }
ul { margin-top: .5rem; padding-inline-start: 1.25rem; }
li { margin-top: .375rem; }
.note { margin-top: 1.25rem; font-size: .875rem; color: var(--quiet); text-wrap: balance; }
@media (max-width: 22rem) { .content { padding: 1.75rem 1.125rem; } }
.phone {
  display: grid; grid-template-columns: auto 1fr;
  gap: 1.25rem;
  align-items: center;
  margin-top: 2rem;
  padding-top: 1.75rem;
  border-top: 1px solid var(--line);
  text-align: start;
  text-wrap: balance;
  font-size: .9375rem;
  color: var(--quiet);
}
.phone strong { color: var(--text); font-weight: 600; }
.code { padding: .25rem; background: #ffffff; border: 1px solid var(--line); border-radius: .75rem; }
.code svg { display: block; }
.unseen { position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; font-size: 1rem; }
@media (max-width: 30rem), (hover: none) and (pointer: coarse) { .phone { display: none; } }
@media (prefers-reduced-motion: reduce) { .button { transition: none; } .button:active { transform: none; } }
`;
