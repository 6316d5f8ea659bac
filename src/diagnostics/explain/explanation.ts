import type { LinkPath } from '../../management-api/link-paths/custom-path';
import type { LinkHosts } from '../../management-api/link-paths/link-hosts';
import { AnswerContents, phoneOf } from '../../link-routing/answer-contents';
import { answerFor } from '../../link-routing/destination';
import type { VisitedLink, VisitedProject } from '../../link-routing/visited-link';
import { resolveIpad, type Visitor } from '../../link-routing/visitor';
import { isFromOurPage, readVisitorQuery } from '../../link-routing/visitor-query';
import type { DecisionTrace } from '../../link-routing/decision-trace';
import { asReceived, type AskedVisit, askedVisitor } from './asked-visit';
import { type ExplainedAnswer, explainedAnswer } from './explained-answer';
import { type Step, stepOf } from './steps';

export interface Explanation {
  /** The link as visited, without this service's own parameters. */
  url: string;
  visitor: Visitor;
  /** Rules in the order in which they were looked at. */
  steps: Step[];
  answer: ExplainedAnswer;
  /** A visit gets a token of its own. */
  issuesToken: boolean;
}

/** Stands where a visit would have a token of its own. */
const tokenPlaceholder = 'TOKEN';

/** What link traffic would answer, by its own code, and which rules led there. It issues no token and counts no click. */
export function explain(
  hosts: LinkHosts,
  project: VisitedProject,
  link: VisitedLink,
  path: LinkPath,
  asked: AskedVisit,
): Explanation {
  const steps: Step[] = [];
  const trace: DecisionTrace = (rule, finding) => void steps.push(stepOf(rule, finding));
  // A fragment stays with the browser.
  const query = asReceived(asked.query.split('#', 1)[0]!);
  const { own, via } = readVisitorQuery(query);
  if (query !== '') trace('query', own === query ? 'kept' : 'reserved_taken_off');
  const visitor = resolveIpad(askedVisitor(asked.visitor, trace), via, trace);
  const answer = answerFor(project, link, visitor, own, isFromOurPage(via), trace);
  let issuesToken = false;
  const contents = new AnswerContents(hosts, () => {
    issuesToken = phoneOf(visitor) !== null;
    trace('token', issuesToken ? 'issued' : 'robot');
    return issuesToken ? tokenPlaceholder : null;
  });
  const visit = { project, link, path, visitor, own };
  const explained = explainedAnswer(answer, contents, visit);
  return { url: contents.urlOf(visit), visitor, steps, answer: explained, issuesToken };
}
