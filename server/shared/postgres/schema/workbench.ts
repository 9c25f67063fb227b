export const sharedWorkspace = `
  -- What belongs to the people at the workbench: rows of server/workspace, each JSON; without one where the row is gone.
  CREATE TABLE workspace (
    name text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    body text COLLATE "C",
    stamp bigint NOT NULL,
    changed bigint NOT NULL,
    PRIMARY KEY (name, key)
  );
  CREATE INDEX workspace_by_stamp ON workspace (stamp);
  CREATE SEQUENCE workspace_stamp;
  CREATE TABLE sign_in_code (
    sha256 text COLLATE "C" PRIMARY KEY,
    granted text COLLATE "C" NOT NULL,
    expires bigint NOT NULL,
    used boolean NOT NULL
  );
  `;

/** Hashed network of each pending sign-in. A network that starts too many loses its own. */
export const signInNetworks = `ALTER TABLE openid_sign_in ADD COLUMN network text COLLATE "C" NOT NULL DEFAULT ''`;

/** Tables of the activity log, jobs and pending provider sign-ins. */
export const workbench = `
  CREATE SEQUENCE activity_seq;
  CREATE TABLE activity (
    seq bigint PRIMARY KEY DEFAULT nextval('activity_seq'),
    time bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    connection text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    status integer NOT NULL,
    ms double precision NOT NULL,
    request_bytes bigint NOT NULL,
    answer_bytes bigint NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    record_type text COLLATE "C",
    record_id text COLLATE "C",
    version_before integer,
    version_after integer,
    note text COLLATE "C" NOT NULL,
    counts text COLLATE "C" NOT NULL
  );
  -- By the SHA-256 of the browser's secret.
  CREATE TABLE openid_sign_in (
    browser text COLLATE "C" PRIMARY KEY,
    body text COLLATE "C" NOT NULL,
    begun bigint NOT NULL
  );
  `;

/** Trigger that prevents any program, including an older one, from restoring a revoked right. */
export const endedRights = `
  CREATE FUNCTION ended_right_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a revoked token and an ended session stay so' USING ERRCODE = 'serialization_failure';
    END $$;
  -- A text in the JSON has its quotes escaped: only the member itself is met.
  CREATE TRIGGER ended_right_stays BEFORE UPDATE ON workspace FOR EACH ROW WHEN (
    (OLD.name = 'token' AND OLD.body NOT LIKE '%"revoked":null%' AND NEW.body LIKE '%"revoked":null%')
    OR (OLD.name = 'sign_in' AND OLD.body IS NULL AND NEW.body IS NOT NULL))
    EXECUTE FUNCTION ended_right_stays();
  `;
