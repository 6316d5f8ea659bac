-- plain
-- page=70
SELECT name, left_at AS "leftAt" FROM subdomains WHERE project_id = $1 AND left_at IS NOT NULL
       ORDER BY left_at DESC, name DESC;
