-- Where lc_ctype is C, pg_trgm takes letters beyond ASCII for punctuation. This form of a text has letters and digits of ASCII in their place.

DO $$
DECLARE
  further_bytes text := (SELECT string_agg(chr(code), '' ORDER BY code) FROM generate_series(128, 191) AS code);
  first_bytes text := (SELECT string_agg(chr(code), '' ORDER BY code) FROM generate_series(192, 255) AS code);
BEGIN
  -- As LATIN1 each byte of UTF-8 is a character. The further bytes tell the letters of a script apart. The first bytes are removed.
  EXECUTE format(
    'CREATE FUNCTION ascii_form(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
    format('SELECT translate(convert_from(convert_to(lower(given), ''UTF8''), ''LATIN1''), %L, %L)', further_bytes || first_bytes,
           '0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr')
  );
END $$;
COMMENT ON FUNCTION ascii_form IS 'The text in lower case, with a letter or digit of ASCII for each further byte of a character. The form of a text contains the forms of its parts.';
