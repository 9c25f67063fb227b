import { locks } from '../locks.ts';
import { erasedCode } from '../driver-errors.ts';

export const erasures = `
  -- What was erased, by whom and why: none of it is let in again, and none of these rows goes. A server adds one by erase()
  -- alone, which removes a record with all that describes it: the rows of each table that name it as their record.
  CREATE TABLE erased (
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    time bigint NOT NULL,
    who text COLLATE "C" NOT NULL,
    person text COLLATE "C",
    reason text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    PRIMARY KEY (type, id)
  );
  CREATE INDEX erased_by_stamp ON erased (stamp);
  CREATE INDEX audit_of_erasures ON audit (place) WHERE action = 'erase';

  CREATE FUNCTION erase(a_type text, an_id text, at bigint, by_who text, by_person text, why text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = chartkeeper, pg_temp AS $$
    DECLARE
      number bigint;
      described name;
    BEGIN
      IF (a_type ~ '^[A-Z][A-Za-z]{1,63}$' AND an_id ~ '^[A-Za-z0-9.-]{1,64}$' AND why <> '') IS NOT TRUE THEN
        RAISE EXCEPTION 'an erasure names what is erased, and why' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      -- Whoever writes it now commits first: the statements behind this one see what that left.
      DELETE FROM record WHERE type = a_type AND id = an_id RETURNING pk INTO number;
      IF FOUND THEN
        FOR described IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relnamespace = 'chartkeeper'::regnamespace AND c.relkind IN ('r', 'p')
          AND a.attname = 'record' AND a.atttypid = 'bigint'::regtype AND NOT a.attisdropped
        LOOP
          EXECUTE format('DELETE FROM %I WHERE record = $1', described) USING number;
        END LOOP;
      END IF;
      -- Stamps rise in the order of commits, as those of the workspace do: servers read on behind the last that they saw.
      PERFORM pg_advisory_xact_lock(${locks.rows});
      INSERT INTO erased VALUES (a_type, an_id, at, by_who, by_person, why, nextval('workspace_stamp'));
    END $$;
  REVOKE ALL ON FUNCTION erase FROM PUBLIC;

  CREATE FUNCTION erasure_is_told() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM chartkeeper.audit a WHERE a.action = 'erase'
        AND a.xmin = pg_current_xact_id()::xid AND starts_with(a.what, NEW.type || '/' || NEW.id || ': ')) THEN
        RAISE EXCEPTION 'an erasure has its entry in the audit trail' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$;
  CREATE CONSTRAINT TRIGGER erasure_is_told AFTER INSERT ON erased DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION erasure_is_told();

  -- Behind the insert, which may have waited until the erasure of what had the name was committed.
  CREATE FUNCTION was_not_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM chartkeeper.erased e WHERE e.type = NEW.type AND e.id = NEW.id) THEN
        RAISE EXCEPTION 'it was erased' USING ERRCODE = '${erasedCode}';
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER was_not_erased AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION was_not_erased();
  CREATE TRIGGER was_not_erased AFTER INSERT ON companion FOR EACH ROW EXECUTE FUNCTION was_not_erased();
  `;
