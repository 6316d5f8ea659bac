import type { AppOperation } from './apps/app-requests';
import type { VisitAnswer } from './visits/visit';

/** The answer label of metrics, spans and log lines. */
export type LinkAnswer =
  | VisitAnswer
  | AppOperation['name']
  | 'preflight'
  | 'association-file'
  | 'host-proof'
  | 'picture'
  | 'test'
  | 'not-found'
  | 'refused'
  | 'failed';
