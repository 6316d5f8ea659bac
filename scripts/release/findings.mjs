/** Throws an error that lists the findings, if there are any. */
export function refuse(findings) {
  if (findings.length > 0) throw new Error(findings.map((finding) => `  - ${finding}`).join('\n'));
}
