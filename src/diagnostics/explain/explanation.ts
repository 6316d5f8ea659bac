import type { LinkPath } from '../../management-api/link-paths/custom-path';
import type { LinkHosts } from '../../management-api/link-paths/link-hosts';
import { AnswerContents, phonePlatformOf } from '../../link-routing/answer-contents';
import { decideAnswer } from '../../link-routing/destination';
import { type OpeningApp, openingApps } from '../../link-routing/opening-apps';
import type { LinkOwnerships } from '../../management-api/mobile-apps/owned-paths';
import type { VisitedLink, VisitedProject } from '../../link-routing/visited-link';
import { resolveIpad, type Visitor } from '../../link-routing/visitor';
import { continuationOf } from '../../link-routing/continuation';
import { readVisitorQuery } from '../../link-routing/visitor-query';
import type { DecisionTrace } from '../../link-routing/decision-trace';
import { type ExplainedAnswer, explainedAnswer } from './explained-answer';
import { asHeaderText, simulatedVisitor, type SimulatedVisit } from './simulated-visit';
import { type Step, stepOf } from './steps';

export interface Explanation {
  /** The visited URL without the reserved parameters. */
  url: string;
  /** The installed apps that open the URL instead of a visit. */
  apps: OpeningApp[];
  visitor: Visitor;
  /** Evaluated rules in order. */
  steps: Step[];
  answer: ExplainedAnswer;
  /** A real visit gets a deferred deep link token. */
  issuesToken: boolean;
}

const tokenPlaceholder = 'TOKEN';

/**
 * Explains the answer of link traffic with the same code. Issues no token and records no click.
 * @param links the links of the project, if its association files depend on them
 */
export function explain(
  hosts: LinkHosts,
  project: VisitedProject,
  link: VisitedLink,
  path: LinkPath,
  simulated: SimulatedVisit,
  links: LinkOwnerships,
): Explanation {
  const steps: Step[] = [];
  const trace: DecisionTrace = (rule, finding) => void steps.push(stepOf(rule, finding));
  // Browsers do not send the fragment.
  const query = asHeaderText(simulated.query.split('#', 1)[0]!);
  const { visitorQuery, via } = readVisitorQuery(query);
  if (query !== '') trace('query', visitorQuery === query ? 'kept' : 'reserved_taken_off');
  const visitor = resolveIpad(simulatedVisitor(simulated.visitor, trace), via, trace);
  const wasOfferedApp = continuationOf(via)?.wasOfferedApp ?? false;
  const answer = decideAnswer(project, link, visitor, visitorQuery, wasOfferedApp, trace);
  let issuesToken = false;
  const contents = new AnswerContents(hosts, () => {
    issuesToken = phonePlatformOf(visitor) !== null;
    trace('token', issuesToken ? 'issued' : 'robot');
    return issuesToken ? tokenPlaceholder : null;
  });
  const visit = { project, link, path, visitor, visitorQuery, wasOfferedApp };
  const explained = explainedAnswer(answer, contents, visit);
  const apps = openingApps(project, path, via, links);
  return { url: contents.urlOf(visit), apps, visitor, steps, answer: explained, issuesToken };
}
