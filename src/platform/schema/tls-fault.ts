/** Faults of certificates by the codes of OpenSSL and Node (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const ownAuthority =
  'Add sslrootcert with the file of the certificate of its authority to the URL, or sslmode=no-verify to encrypt without a check';
const remedies: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: ownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Use a host name of the certificate in the URL, or sslmode=no-verify to encrypt without a check',
  CERT_HAS_EXPIRED: "Renew the server's certificate, or use sslmode=no-verify to encrypt without a check",
  CERT_NOT_YET_VALID: 'Compare the clocks of both machines, or use sslmode=no-verify to encrypt without a check',
};

/** Returns the remedy of a fault of TLS on the connection to PostgreSQL, or null if the error is another one. */
export function tlsRemedy(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.message === 'The server does not support SSL connections')
    return 'Switch ssl on in PostgreSQL, or use sslmode=disable';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (remedies[code] !== undefined) return remedies[code];
  return code.startsWith('ERR_SSL_') || code === 'EPROTO'
    ? 'Compare sslmode, sslcert and sslkey with the server'
    : null;
}

/** Returns an error with the name of the setting and the remedy; other errors unchanged. */
export function explainTlsFault(setting: string, error: unknown): unknown {
  const remedy = tlsRemedy(error);
  return remedy === null
    ? error
    : new Error(`${setting}: ${(error as Error).message.replace(/[.;]$/, '')}. ${remedy}.`, { cause: error });
}
