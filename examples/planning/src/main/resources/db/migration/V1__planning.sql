-- The tenant leads every primary key, every index and every foreign key: a row of another tenant
-- cannot be found, and cannot be referred to, without naming that tenant.

CREATE TABLE organization (
  tenant     text        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  version    bigint      NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id)
);

CREATE TABLE project (
  tenant     text        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  state      text        NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'archived')),
  version    bigint      NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX project_list ON project (tenant, created_at, id);

CREATE TABLE mission (
  tenant     text        NOT NULL,
  id         uuid        NOT NULL,
  project_id uuid        NOT NULL,
  title      text        NOT NULL,
  starts_at  timestamptz NOT NULL,
  ends_at    timestamptz NOT NULL,
  state      text        NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'locked', 'archived')),
  version    bigint      NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, project_id) REFERENCES project (tenant, id),
  CHECK (starts_at < ends_at)
);
CREATE INDEX mission_list ON mission (tenant, project_id, created_at, id);

-- Nothing changes a collaborator, so there is no version to state.
CREATE TABLE collaborator (
  tenant     text        NOT NULL,
  id         uuid        NOT NULL,
  project_id uuid        NOT NULL,
  name       text        NOT NULL,
  phone      text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, project_id) REFERENCES project (tenant, id)
);
CREATE INDEX collaborator_project ON collaborator (tenant, project_id);

CREATE TABLE assignment (
  tenant          text        NOT NULL,
  id              uuid        NOT NULL,
  mission_id      uuid        NOT NULL,
  collaborator_id uuid        NOT NULL,
  version         bigint      NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, mission_id, collaborator_id),
  FOREIGN KEY (tenant, mission_id) REFERENCES mission (tenant, id),
  FOREIGN KEY (tenant, collaborator_id) REFERENCES collaborator (tenant, id)
);
CREATE INDEX assignment_collaborator ON assignment (tenant, collaborator_id);

-- One row per successful write, in the transaction of that write. The time is the clock's and not
-- the transaction's: a write that waited for another one's row comes after it here as well.
CREATE TABLE audit_event (
  tenant         text        NOT NULL,
  id             uuid        NOT NULL DEFAULT gen_random_uuid(),
  at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor          text        NOT NULL,
  action         text        NOT NULL,
  endpoint       text        NOT NULL,
  resource_type  text        NOT NULL,
  resource_id    uuid        NOT NULL,
  prior_revision text,
  new_revision   text,
  payload_hash   text        NOT NULL,
  request_id     text        NOT NULL,
  correlation_id text        NOT NULL,
  -- The keys of the jobs that the write asked for.
  jobs           text[]      NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX audit_event_resource ON audit_event (tenant, resource_id, at, id);

-- What follows is derived from the tables above, by jobs. Nothing refers to it, and it refers to
-- nothing: it may be behind, but never in the way of a write.

-- A row per project and mission, as of a version. One that is gone stays here to say so: a job that
-- read it before it went may be about to write.
CREATE TABLE search_entry (
  tenant     text        NOT NULL,
  id         uuid        NOT NULL,
  type       text        NOT NULL,
  name       text        NOT NULL,
  version    bigint      NOT NULL,
  created_at timestamptz NOT NULL,
  gone       boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX search_entry_list ON search_entry (tenant, created_at, id) WHERE NOT gone;

CREATE TABLE dashboard (
  tenant        text        NOT NULL,
  project_id    uuid        NOT NULL,
  as_of         timestamptz NOT NULL DEFAULT '-infinity',
  planned       bigint      NOT NULL DEFAULT 0,
  locked        bigint      NOT NULL DEFAULT 0,
  archived      bigint      NOT NULL DEFAULT 0,
  collaborators bigint      NOT NULL DEFAULT 0,
  assignments   bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, project_id)
);

-- Stands for a provider that sends messages: what it was asked to send, each key once.
CREATE TABLE sent_notification (
  tenant          text        NOT NULL,
  key             text        NOT NULL,
  fence           bigint      NOT NULL,
  collaborator_id uuid        NOT NULL,
  mission_id      uuid        NOT NULL,
  request_id      text        NOT NULL,
  correlation_id  text        NOT NULL,
  sent_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant, key)
);

-- The only table without a leading tenant: the token determines the tenant. Only its SHA-256 is
-- stored, so a reader of this table cannot sign in.
CREATE TABLE api_token (
  token_hash text        NOT NULL PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  tenant     text        NOT NULL,
  caller     text        NOT NULL,
  role       text        NOT NULL CHECK (role IN ('planner', 'viewer', 'operator')),
  created_at timestamptz NOT NULL DEFAULT now()
);
