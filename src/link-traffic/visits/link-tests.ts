import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import { addressOn } from '../../link-routing/answers/answer-contents';
import type { HostedAt } from '../../link-paths/paths/open-host';
import { withReservedParameter } from '../../link-paths/paths/reserved-parameters';
import { testedAnswer } from '../../link-routing/answers/tested-answer';
import { longLinkPath, readLongLink } from '../../link-routing/visited-link/long-link';
import { percentEncodeNonAscii } from '../../link-routing/visited-link/query-merge';
import { namedApps } from '../../link-routing/association-files/named-apps';
import { linkTestPage } from '../../link-routing/pages/link-test';
import { testLanguageOf } from '../../link-routing/pages/link-test-texts';
import { chosenVariant, firstVariant } from '../../link-routing/visited-link/variants';
import type { VisitedLink } from '../../link-routing/visited-link/visited-link';
import { readVisitorQuery } from '../../link-routing/visited-link/visitor-query';
import type { AssociationFileCache } from '../answers/association-file-cache';
import { sendDevicePage } from '../answers/answer-page';
import type { Exchange } from '../exchange';
import type { ClickReader } from '../recording/click-reader';
import type { CachedProject } from '../resolving/cached-models';
import type { LinkResolver } from '../resolving/link-resolver';
import type { Target } from '../resolving/target';
import type { HashOfVisitor } from '../resolving/visitor-keys';
import { visitorOfVisit } from './visit';
import { VisitFacts } from './visit-facts';

interface TestedLink {
  link: VisitedLink | null;
  path: LinkPath;
  longQuery?: string;
  visitorQuery: string;
}

/** Answers tests of links by a page. It says what a visit would do, and counts and issues nothing. */
export class LinkTests {
  constructor(
    private readonly hosts: LinkHosts,
    private readonly resolver: Pick<LinkResolver, 'visitedAt'>,
    private readonly files: Pick<AssociationFileCache, 'filesOf'>,
    private readonly clickReader: ClickReader,
    private readonly hashOf: HashOfVisitor,
  ) {}

  async answer(exchange: Exchange, project: CachedProject, target: Target): Promise<'test'> {
    const { request } = exchange;
    const [tested, files] = await Promise.all([this.#testedLink(project, target), this.files.filesOf(project)]);
    const { link, path, longQuery, visitorQuery } = tested;
    const { via } = readVisitorQuery(target.query);
    const visitor = visitorOfVisit(request, { project, link }, via);
    const facts = new VisitFacts(request, visitor, visitorQuery, null, this.clickReader.now(), this.clickReader);
    const answer = testedAnswer(project, target.path, link, visitor, facts, (variants) =>
      visitor.robot ? firstVariant(variants) : chosenVariant(variants, this.hashOf(link!.id, request)),
    );
    const { platform, macintosh } = visitor;
    const file = { ios: files.appleFile, android: files.androidFile, desktop: null }[platform];
    const apps =
      platform === 'desktop' || file === null
        ? []
        : namedApps(platform, file.content.toString(), `/${target.linkPath}`);
    const urlOn = (host: HostedAt) => addressOn(this.hosts, host, { path, longQuery, visitorQuery });
    const testUrl = (host: HostedAt) => withReservedParameter(urlOn(host), 'via', macintosh ? 'ipad-test' : 'test');
    const language = testLanguageOf(request.headers['accept-language']);
    const page = linkTestPage(
      {
        visitor,
        system: facts.system,
        answer,
        apps,
        host: project.visitedHostname,
        openUrl: testUrl(project.opener),
        visitUrl: urlOn(project.visited),
        ipadUrl: macintosh && platform === 'desktop' ? testUrl(project.visited) : null,
      },
      language,
    );
    sendDevicePage(exchange, page, language);
    return 'test';
  }

  async #testedLink(project: CachedProject, target: Target): Promise<TestedLink> {
    const { visitorQuery } = readVisitorQuery(target.query);
    if (target.path === longLinkPath) {
      const read = readLongLink(project, visitorQuery);
      const path = longLinkPath as LinkPath;
      return typeof read === 'string' ? { link: null, path, visitorQuery } : { path, ...read };
    }
    const visited = await this.resolver.visitedAt(project, target);
    if (visited === null) return { link: null, path: percentEncodeNonAscii(target.sentPath) as LinkPath, visitorQuery };
    return { ...visited, visitorQuery: readVisitorQuery(visited.query).visitorQuery };
  }
}
