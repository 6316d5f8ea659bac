/** The result of a visit of a custom domain. `ok`: the project answers. `not_probed`: the limits of probes were reached. */
export const domainAnswers = [
  'ok',
  'not_resolved',
  'private_address',
  'unreachable',
  'certificate',
  'no_answer',
  'redirected',
  'other_answer',
  'not_probed',
] as const;
export type DomainAnswer = (typeof domainAnswers)[number];

const texts: Record<DomainAnswer, string> = {
  ok: 'answers with this project',
  not_resolved: 'has no address in the DNS; add the record that points to the service',
  private_address: 'has an address outside the public internet; point it to the public address of the service',
  unreachable: 'accepts no connection; check its DNS records and the proxy in front of the service',
  certificate: 'has no valid certificate; the proxy in front of the service must issue one',
  no_answer: 'did not answer completely in time; try again, because the first certificate takes some seconds',
  redirected: 'redirects to another address; point it to the service without a redirect',
  other_answer: 'answers, but not with this project; point its DNS records to the service',
  not_probed: 'was not checked, because the limit of probes is reached; check it in a minute',
};

export const describeAnswer = (hostname: string, answer: DomainAnswer): string => `${hostname} ${texts[answer]}`;
