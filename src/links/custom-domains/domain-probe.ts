import type { HostAddresses } from '../../platform/outbound/host-addresses';
import { OutboundConnection } from '../../platform/outbound/outbound-connection';
import { OutboundFailure, type OutboundReason } from '../../platform/outbound/outbound.errors';
import type { ProbeLimits } from '../../platform/outbound/probe-limits';
import type { ProbeSettings } from '../../platform/outbound/probe-settings';
import { hostProofOf, hostProofPath } from '../../link-paths/paths/host-proof';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../projects/project';
import type { DomainAnswer } from './domain-answer';

const maxAnswerBytes = 1000;

/** How a failed request is reported. The other reasons have the same name. */
const renamed: Partial<Record<OutboundReason, DomainAnswer>> = {
  timeout: 'no_answer',
  compressed: 'other_answer',
  too_large: 'other_answer',
};

/** Requests custom domains as browsers do, and recognises the project by its answer. */
export class DomainProbe {
  constructor(
    private readonly addresses: HostAddresses,
    private readonly hosts: LinkHosts,
    private readonly settings: Pick<ProbeSettings, 'allowPrivateAddresses'>,
    private readonly limits: ProbeLimits,
    /** Replaces the CA certificates of Node. */
    private readonly caCertificates?: string,
  ) {}

  /**
   * Asks the host for its project. Hosts with private addresses are not asked, because they may be internal servers.
   * @throws TooManyProbes
   */
  probe(project: Project, hostname: string, timeoutMs: number): Promise<DomainAnswer> {
    return this.limits.run(project.accountId, async () => {
      const origin = this.hosts.originOf({ subdomain: project.subdomain, customDomain: hostname });
      const connection = new OutboundConnection(this.addresses, {
        allowPrivateAddresses: this.settings.allowPrivateAddresses,
        allowHttp: true,
        maxAnswerBytes,
        timeoutMs,
        caCertificates: this.caCertificates,
      });
      try {
        const url = new URL(hostProofPath, origin);
        const headers = { 'User-Agent': 'Signpost domain check' };
        const { status, body } = await connection.send({ method: 'GET', url, headers }, new AbortController().signal);
        if (status >= 300 && status < 400) return 'redirected';
        return status === 200 && body?.toString() === hostProofOf(project.id) ? 'ok' : 'other_answer';
      } catch (error) {
        if (!(error instanceof OutboundFailure)) throw error;
        return renamed[error.reason] ?? (error.reason as DomainAnswer);
      } finally {
        connection.close();
      }
    });
  }
}
