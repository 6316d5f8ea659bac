-- Any text in the form of a token can name a region, so that claims of random tokens could ask a region for more than it answers. A
-- region takes 100 tokens at each contact, about once a second, and a claim waits for three seconds. More open requests than about
-- 300 would only wait in vain. A claim that finds no place asks again until its time is over.
COMMENT ON FUNCTION request_deferred_link IS 'Asks a region for a token, unless about 300 tokens wait for its answer. Returns open until the region has answered, and then moved or none.';

COMMENT ON FUNCTION contact_primary IS 'Called by each region about once a second, in the primary. Returns the clock, the last delivery of clicks and the tokens that others asked for first; no row if the region was removed.';
