import { IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { type DelimiterName, delimiters, type ExportFormat, exportFormats } from './link-formats';

export class ExportLinksQuery {
  @IsQueryChoice(exportFormats, {
    default: 'csv',
    description:
      '`csv`: for spreadsheets. `ndjson`: one JSON object per line, as the list returns it. `signpost`: one JSON object per line, ' +
      'with what another project needs for the same link.',
  })
  format: ExportFormat;

  @IsQueryChoice(Object.keys(delimiters), {
    default: 'comma',
    description:
      'Delimiter of cells in the format `csv`. Spreadsheets of languages with a decimal comma open files with semicolons.',
  })
  delimiter: DelimiterName;
}
