import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { country, language, rulePlatforms } from '../../link-paths/rules/rule-values';
import { pageLanguageOf } from '../../link-routing/pages/page-language';
import { moment } from '../../shared/moment';
import type { Problem } from '../../shared/problem';
import { oneOf, queryList } from '../../shared/rule';
import { text } from '../../shared/text';
import { IsQueryText } from './explain-query.dto';
import type { NamedPlatform, SimulatedVisit } from './simulated-visit';

/** Rows of a simulation. Each is a visit. */
export const maxSimulatedVisits = 200;

const IsPlatforms = ruleDecorator(queryList(oneOf([...rulePlatforms, 'desktop'] as const), rulePlatforms.length + 1));
const IsCountries = ruleDecorator(queryList(country, maxSimulatedVisits));
const IsLanguages = ruleDecorator(queryList(language, maxSimulatedVisits));
const IsTimes = ruleDecorator(queryList(moment, maxSimulatedVisits));
const IsVariants = ruleDecorator(queryList(text({ min: 1, max: 50 }), maxSimulatedVisits));

/** A visitor of a simulation, as its row names it. */
export interface SimulatedRow {
  platform: NamedPlatform;
  country: string | null;
  language: string | null;
  at: number | null;
  variant: string | null;
}

export class SimulateQuery {
  @IsPlatforms(optionally('Platforms of the visitors. Default: `desktop`.', ['ios']))
  platform?: NamedPlatform[];

  @IsCountries(optionally('Countries of the visitors. Default: unknown.', ['DE']))
  country?: string[];

  @IsLanguages(optionally('Preferred languages of the visitors. Default: unknown.', ['de']))
  language?: string[];

  @IsTimes(optionally('Times of the visits. Default: now.', ['2027-01-31T23:00:00Z']))
  at?: number[];

  @IsVariants(optionally('Names of variants that the visitors get. Default: the first one that people get.', ['B']))
  variant?: string[];

  @IsQueryText(optionally('Query of all visits, as for `explain`.', 'utm_source=mail'))
  query?: string;

  /** Returns a problem if the visits are too many. */
  static problemsAcrossFields({ platform, country, language, at, variant }: SimulateQuery): Problem[] {
    const visits = [platform, country, language, at, variant].reduce(
      (product, list) => product * (list?.length ?? 1),
      1,
    );
    const message = `platform, country, language, at and variant make ${visits} visits, more than ${maxSimulatedVisits}`;
    return visits > maxSimulatedVisits ? [{ code: 'too_big', path: ['platform'], message }] : [];
  }

  /** Returns the rows in the order of the parameters, the last of which changes first. */
  static toRows({ platform = ['desktop'], country, language, at, variant }: SimulateQuery): SimulatedRow[] {
    const orNone = <T>(list: T[] | undefined): (T | null)[] => list ?? [null];
    return platform.flatMap((platform) =>
      orNone(country).flatMap((country) =>
        orNone(language).flatMap((language) =>
          orNone(at).flatMap((at) =>
            orNone(variant).map((variant): SimulatedRow => ({ platform, country, language, at, variant })),
          ),
        ),
      ),
    );
  }

  static toVisit({ platform, country, language, at, variant }: SimulatedRow, query = ''): SimulatedVisit {
    const acceptLanguage = language ?? '';
    return {
      visitor: { platform, inAppBrowser: false },
      host: null,
      query,
      language: pageLanguageOf(acceptLanguage),
      facts: { acceptLanguage, country, at, referringHost: null, address: null, appVersion: null },
      variant,
    };
  }
}
