-- A refused subdomain says whether it is in use or held.

-- The constraint keeps its name, which every release maps to its refusal.
CREATE OR REPLACE FUNCTION claim_subdomain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subdomains AS known (name, account_id, project_id) VALUES (NEW.subdomain, NEW.account_id, NEW.id)
  ON CONFLICT (name) DO UPDATE SET account_id = excluded.account_id, project_id = excluded.project_id, left_at = NULL
    WHERE known.project_id = NEW.id OR (known.project_id IS NULL AND known.account_id = NEW.account_id);
  IF NOT FOUND THEN
    -- The refused insertion has locked the row, so it is still the one that refused.
    RAISE unique_violation USING
      MESSAGE = 'the subdomain is used, or held for the account that had it',
      DETAIL = (SELECT CASE WHEN project_id IS NULL THEN 'held' ELSE 'used' END FROM subdomains WHERE name = NEW.subdomain),
      TABLE = 'projects', CONSTRAINT = 'projects_subdomain_unique';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    UPDATE subdomains SET left_at = now() WHERE name = OLD.subdomain AND name <> NEW.subdomain AND project_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
