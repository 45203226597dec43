-- Once, on the primary, as its superuser; with passwords of your own.
create role replicator login replication password 'the password of replication';
create role matterdesk_check login connection limit 20;
create role matterdesk login password 'the password of matterdesk';
-- Matterdesk asks for these itself; a pooler drops what is asked at sign-in.
alter role matterdesk set statement_timeout = '30s';
alter role matterdesk set idle_in_transaction_session_timeout = '60s';
create database matterdesk owner matterdesk encoding 'UTF8' template template0;
\connect matterdesk
create extension pg_trgm;
