-- Once, on the primary, as its superuser; with passwords of your own.
create role replicator login replication password 'the password of replication';
create role matterdesk_check login connection limit 20;
create role matterdesk login password 'the password of matterdesk';
-- Matterdesk sets these itself at its start; here they hold for the pooler's first connections, too.
alter role matterdesk set jit = off;
alter role matterdesk set random_page_cost = 1.1;
alter role matterdesk set timezone = 'UTC';
alter role matterdesk set statement_timeout = '30s';
alter role matterdesk set idle_in_transaction_session_timeout = '15s';
create database matterdesk owner matterdesk encoding 'UTF8' template template0;
\connect matterdesk
create extension pg_trgm;
