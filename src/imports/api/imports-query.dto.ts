import { IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { PageQuery } from '../../api-kit/kit/list-query';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { readJson } from '../../platform/http/json-limits';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import { conflictPolicies, type ConflictPolicy } from '../model/import';
import { type Outcome, outcomes } from '../model/import-row';
import { importOptions } from './import-options';
import type { ImportOptions } from '../sources/import-source';
import { importSources } from '../sources/import-sources';

export const sourceNames = [...importSources.keys()];

const maxOptionsLength = 8000;
const limitedText = text({ max: maxOptionsLength });

/** Reads options of a source: JSON, because a query has text only. */
const optionsText = new Rule<ImportOptions>({ type: 'string', maxLength: maxOptionsLength }, (value) => {
  const textResult = limitedText.safeParse(value);
  if ('problems' in textResult) return textResult;
  // Functions that visit each level would exceed the stack. Each character is less than a value.
  const reading = readJson(textResult.value, 3 * maxOptionsLength);
  if ('value' in reading) return importOptions.safeParse(reading.value);
  return reading.fault === 'not_json'
    ? refused('invalid_json', 'must be a JSON object')
    : refused('too_big', 'must not nest arrays and objects too deep');
});

const IsOptionsText = ruleDecorator(optionsText);

export class CreateImportQuery {
  @IsQueryChoice(sourceNames, { description: 'System that the file comes from.', default: 'signpost' })
  source: string;

  @IsQueryChoice(conflictPolicies, {
    description:
      'The treatment of a row whose path or external id a different link has. `skip`: the link stays. `replace`: it gets the ' +
      'fields of the row. `fail`: nothing is run.',
    default: 'skip',
  })
  conflict: ConflictPolicy;

  @IsOptionsText(
    optionally(
      'JSON object with options. `columns` maps columns of the source `csv` to fields. `time_zone` is that of times without one. ' +
        '`date_format` of dates such as `03/04/2024` is `day_first`, `month_first`, or `iso`, the default, which refuses them. ' +
        '`encoding` of the file is `utf-8`, the default, or `windows-1252`.',
      '{"columns":{"Slug":"custom_path","Target":"desktop_url"}}',
    ),
  )
  options?: ImportOptions;
}

const IsOutcome = (place: string) =>
  IsQueryChoice(outcomes, {
    description: `Outcome; only rows that have it are ${place}.`,
    example: 'refused',
    optional: true,
  });

export class ListImportRowsQuery extends PageQuery {
  @IsOutcome('listed')
  outcome?: Outcome;
}

export class ImportReportQuery {
  @IsOutcome('in the report')
  outcome?: Outcome;
}
