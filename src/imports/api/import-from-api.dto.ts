import { apiChoices } from '../apis/import-api';
import type { ListRequest } from '../apis/import-api-client';
import { importApis } from '../apis/import-apis';
import { apiUrl } from '../apis/api-url';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { InvalidInput, type Problem } from '../../shared/problem';
import { oneOf } from '../../shared/rule';
import { text } from '../../shared/text';
import { importOptions } from './import-options';
import type { ImportOptions } from '../sources/import-source';
import { conflictPolicies, type ConflictPolicy } from '../model/import';

/** Creates a rule for texts that headers and forms carry. */
const visibleText = (min: number, max: number) =>
  text({ min, max, pattern: /^[\x21-\x7e]+$/, patternSays: 'consist of visible ASCII characters' });

const IsApiSource = ruleDecorator(oneOf([...importApis.keys()]));
// A token shorter than any known one could be a part of the links by chance.
const IsApiToken = ruleDecorator(visibleText(8, 1000));
const IsApiUrl = ruleDecorator(apiUrl);
const IsConflictPolicy = ruleDecorator(oneOf(conflictPolicies));
const IsOptions = ruleDecorator(importOptions);
const IsChoice = (what: string, sources: string, example: string) =>
  ruleDecorator(visibleText(1, 253))({
    description: `${what} whose links are read, by default all: of ${sources}.`,
    example,
    optional: true,
  });

export class CreateImportFromApiBody {
  @IsApiSource({ description: 'System that lists its links.', example: 'bitly' })
  source: string;

  @IsApiToken({
    description:
      'Token of that system: an access token, an API key, or the signature of YOURLS. It is stored encrypted until the list has ended.',
    example: 'b1f0c2d3e4a59687',
  })
  token: string;

  @IsApiUrl(
    optionally(
      'Address of the installation, which `shlink`, `kutt` and `yourls` need. The others have one address, and refuse it.',
      'https://links.example.com',
    ),
  )
  url?: string;

  @IsChoice('Host', '`dub`, `short-io` and `rebrandly`', 'go.example.com')
  domain?: string;

  @IsChoice('Id of the group', '`bitly`', 'Bk1mnoPqRst')
  group?: string;

  @IsChoice('Id of the workspace', '`rebrandly`', '8f104cc5b6ee4a4ba7897b06ac2ddcfb')
  workspace?: string;

  @IsConflictPolicy(
    optionally(
      'The treatment of a row whose path or external id a different link has, as for a file. Default: `skip`.',
      'skip',
    ),
  )
  conflict?: ConflictPolicy;

  @IsOptions(
    optionally(
      'Options of the source: `time_zone` is that of times without one. `date_format` is `iso`, `day_first` or `month_first`.',
      { time_zone: 'Europe/Berlin' },
    ),
  )
  options?: ImportOptions;
}

/** @throws InvalidInput if the source needs an address, or has no such choice */
export function listRequestOf(body: CreateImportFromApiBody): ListRequest {
  const api = importApis.get(body.source)!;
  const problems: Problem[] = [];
  const problem = (code: Problem['code'], field: string, message: string) =>
    problems.push({ code, path: [field], message: `${field} ${message}` });
  if (api.baseUrl === null && body.url === undefined) problem('required', 'url', `is required for ${api.name}`);
  if (api.baseUrl !== null && body.url !== undefined)
    problem('unrecognized_key', 'url', `must be absent, because ${api.name} has one address`);
  const chosen = apiChoices.filter((field) => body[field] !== undefined);
  for (const field of chosen)
    if (!api.choices.includes(field))
      problem('unrecognized_key', field, `must be absent, because ${api.name} has no such choice`);
  if (problems.length > 0) throw InvalidInput.because(problems);
  const choice = Object.fromEntries(chosen.map((field) => [field, body[field]]));
  return { api, token: body.token, url: body.url ?? null, choice };
}
