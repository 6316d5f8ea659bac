/** The stylesheet of shared pages. Contrast is at least 4.5:1 in both colour schemes (WCAG 2.2, 1.4.3). */
export const sharedPageStyle = `
:root {
  color-scheme: light dark;
  --page: #f2f4f7; --card: #fff; --line: #dfe3e9; --edge: #8a94a3; --text: #14181f; --quiet: #505a68;
  --accent: #2450d3; --on-accent: #fff; --soft: #dbe4ff; --fault: #b42318;
  font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1015; --card: #171b22; --line: #2c333e; --edge: #7c8796; --text: #eef1f5; --quiet: #a8b1be;
    --accent: #9db8ff; --on-accent: #0c1530; --soft: #26345c; --fault: #ff9c92;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; display: grid; gap: 1rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; }
h2 { margin: 0 0 .75rem; font-size: 1rem; font-weight: 600; }
p { margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .875rem; padding: 1.125rem; min-width: 0; }
.quiet { color: var(--quiet); font-size: .875rem; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; }
nav a { padding: .5rem .625rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--card); color: var(--text); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.totals { display: grid; grid-template-columns: repeat(2, 1fr); gap: 1rem; }
.totals dt { color: var(--quiet); font-size: .875rem; }
.totals dd { margin: 0; font-size: 1.875rem; font-weight: 650; line-height: 1.2; }
.totals { margin: 0; }
.chart { display: block; width: 100%; height: 12rem; border-bottom: 1px solid var(--edge); }
.chart rect, .bar rect { fill: var(--accent); }
.chart line { stroke: var(--line); vector-effect: non-scaling-stroke; }
.ends { display: flex; justify-content: space-between; margin-top: .375rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; align-items: start; }
ol { margin: 0; padding: 0; list-style: none; display: grid; gap: .625rem; }
.row { display: flex; justify-content: space-between; gap: 1rem; }
.row span:last-child { font-variant-numeric: tabular-nums; white-space: nowrap; }
.path { display: block; color: var(--quiet); font-size: .8125rem; }
.bar { display: block; width: 100%; height: .375rem; margin-top: .25rem; border-radius: .1875rem; background: var(--soft); }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .875rem; padding: .25rem 0; }
table { width: 100%; border-collapse: collapse; margin-top: .5rem; font-variant-numeric: tabular-nums; }
th, td { padding: .375rem 0; text-align: end; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child { text-align: start; }
.message { max-width: 26rem; margin-top: 12vh; }
form { display: grid; gap: .75rem; margin-top: 1rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { font: inherit; color: inherit; width: 100%; padding: .625rem .75rem; border: 1px solid var(--edge); border-radius: .625rem; background: var(--page); }
button { font: inherit; font-weight: 600; min-height: 2.75rem; border: 0; border-radius: .625rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
.fault { color: var(--fault); }
`;
