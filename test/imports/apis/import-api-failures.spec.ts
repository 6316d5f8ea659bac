import { failureOf } from '../../../src/imports/apis/import-api-client';
import {
  EndlessList,
  type ImportApiFailure,
  IncompleteList,
  StrangeAnswer,
} from '../../../src/imports/apis/import-api.errors';
import { importApis } from '../../../src/imports/apis/import-apis';
import { OutboundFailure, type OutboundReason } from '../../../src/platform/outbound/outbound.errors';

const [hosted, installed] = [importApis.get('bitly')!, importApis.get('shlink')!];
const status = (code: number, api = installed) =>
  failureOf(api, { status: code, headers: {}, body: Buffer.of(), certificateExpires: null });
const outbound = (reason: OutboundReason) => failureOf(installed, new OutboundFailure(reason));

test.each<[failure: ImportApiFailure, fault: string, message: RegExp]>([
  [status(401), 'token_refused', /^Shlink has answered with the status 401; check the token/],
  [status(403), 'token_refused', /403; check the token/],
  [status(429), 'rate_limited', /429; its limit of requests is used up/],
  [status(404), 'not_found', /404; check the address of the installation/],
  [status(404, hosted), 'not_found', /^Bitly has answered with the status 404; try again later/],
  [status(302), 'redirected', /302; redirects are not followed/],
  [status(402), 'wrong_status', /402; try again later/],
  [status(101), 'wrong_status', /101; try again later/],
  [status(503), 'wrong_status', /503; try again later/],
  [outbound('not_resolved'), 'not_resolved', /^The server of Shlink has no address in the DNS/],
  [outbound('private_address'), 'private_address', /IMPORT_PRIVATE_ADDRESSES/],
  [outbound('unreachable'), 'unreachable', /cannot be reached/],
  [outbound('certificate'), 'certificate_invalid', /no valid certificate/],
  [outbound('no_answer'), 'no_answer', /without a whole answer/],
  [outbound('timeout'), 'no_answer', /within 20 seconds/],
  [outbound('compressed'), 'strange_answer', /compressed/],
  [outbound('too_large'), 'strange_answer', /more than 2 MB/],
  [new StrangeAnswer('Bitly', 'that is not JSON'), 'strange_answer', /^Bitly has sent an answer that is not JSON/],
  [new EndlessList('Bitly'), 'strange_answer', /repeats the pages of its list/],
  [new IncompleteList('Kutt', 'has sent 50 of 60 links'), 'incomplete_list', /so that links may be missing/],
])('%s is %s', (failure, fault, message) => {
  expect(failure.fault).toBe(fault);
  expect(failure.message).toMatch(message);
});
