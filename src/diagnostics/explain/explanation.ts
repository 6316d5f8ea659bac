import type { LinkOwnerships } from '../../link-paths/association-files/owned-paths';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { BrowserEscapes } from '../../link-routing/escapes/escape-choice';
import type { openAnswer } from '../../link-routing/answers/open-answer';
import type { VisitedProject } from '../../link-routing/visited-link/visited-link';
import type { Visitor } from '../../link-routing/visitor/visitor';
import type { ExplainedAnswer } from './explained-answer';
import type { ExaminedReleases, ExplainedRelease } from './explained-release';
import type { ExplainedRule } from './explained-rules';
import type { OpeningApp } from './opening-apps';
import type { Step } from './steps';

export interface Explanation {
  /** The visited URL without the reserved parameters. */
  url: string;
  /** The installed apps that open the URL instead of a visit. */
  apps: OpeningApp[];
  visitor: Visitor;
  steps: Step[];
  /** The rules of the link, in their order. */
  rules: ExplainedRule[];
  /** Name of the variant that the answer leads to; null without one. */
  variant: string | null;
  answer: ExplainedAnswer;
  /** A real visit gets a deferred deep link token. */
  issuesToken: boolean;
  /** The released versions that the visit names, on its platform. */
  releases: ExplainedRelease[];
  /** The answer to an app that sends the URL; null if it gets none. */
  open: ReturnType<typeof openAnswer>;
}

export interface ExplainedPlace {
  hosts: LinkHosts;
  /** Milliseconds since 1970 by the clock of the database. */
  now: number;
  project: VisitedProject;
  /** The links of the project, if its association files depend on them. */
  links: LinkOwnerships;
  escapes: Pick<BrowserEscapes, 'offerTo'>;
  /** The released versions that the visit names; null if it names none. */
  examined?: ExaminedReleases | null;
  /** Leaves `apps` empty, because they depend on the path alone. */
  withoutApps?: true;
}
