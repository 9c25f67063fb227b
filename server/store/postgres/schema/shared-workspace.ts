/** What belongs to the people at the workbench. */
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
