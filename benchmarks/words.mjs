/** Creates a table of words by rank. The frequency of a word is proportional to 1 / rank, as in natural languages. */
export async function createWords(client) {
  await client.query(`CREATE TABLE bench_words AS SELECT rank, CASE WHEN rank <= 12
      THEN split_part('summer,sale,campaign,app,promo,newsletter,spring,offer,winter,banner,email,launch', ',', rank)
      ELSE (SELECT string_agg(substr('berbindendorfergasherkanlermanmernertintervanzer', 1 + 3 * (h / (16 ^ n)::int % 16), 3), '')
            FROM generate_series(0, 3) n) END AS word
    FROM generate_series(1, 50000) rank, LATERAL (SELECT (rank::bigint * 40503 % 65536)::int AS h) AS hashed`);
  await client.query('ANALYZE bench_words');
}
