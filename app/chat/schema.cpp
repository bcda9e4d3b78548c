// SPDX-License-Identifier: Apache-2.0
// The CREATE statements of version 1.
#include "app/chat/schema.h"

namespace agens::chat {

const char* const kSchemaSql = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE folder(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK(length(name)<=200), position INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL) STRICT;
CREATE TABLE model(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK(kind IN('target','mtp','drafter','vision')),
  format TEXT NOT NULL CHECK(format IN('safetensors','gguf')), name TEXT NOT NULL, architecture TEXT NOT NULL DEFAULT '',
  quantisation TEXT NOT NULL DEFAULT '', bytes INTEGER NOT NULL CHECK(bytes>=0), mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
  sha256 TEXT NOT NULL DEFAULT '', weights_hash TEXT NOT NULL DEFAULT '', vocab_size INTEGER NOT NULL DEFAULT 0,
  max_context INTEGER NOT NULL DEFAULT 0, has_images INTEGER NOT NULL DEFAULT 0, target_hash TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'seen' CHECK(state IN('seen','ready','missing','invalid')), error_code TEXT NOT NULL DEFAULT '',
  error_text TEXT NOT NULL DEFAULT '', options TEXT NOT NULL DEFAULT '{}',
  last_used_ms INTEGER NOT NULL DEFAULT 0, seen_ms INTEGER NOT NULL) STRICT;
CREATE TABLE conversation(
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, title TEXT NOT NULL DEFAULT '' CHECK(length(title)<=500),
  title_source TEXT NOT NULL DEFAULT 'none' CHECK(title_source IN('none','first_line','model','user')),
  folder_id INTEGER REFERENCES folder(id) ON DELETE SET NULL, pinned INTEGER NOT NULL DEFAULT 0,
  model_id INTEGER REFERENCES model(id) ON DELETE SET NULL, profile TEXT NOT NULL DEFAULT '',
  system_prompt TEXT NOT NULL DEFAULT '', options TEXT NOT NULL DEFAULT '{}',
  active_leaf INTEGER, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, order_key INTEGER NOT NULL,
  scroll_message INTEGER, scroll_offset INTEGER NOT NULL DEFAULT 0, unread INTEGER NOT NULL DEFAULT 0,
  deleted_ms INTEGER, origin TEXT NOT NULL DEFAULT 'local',
  FOREIGN KEY(active_leaf) REFERENCES message(id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED) STRICT;
CREATE INDEX conversation_list ON conversation(deleted_ms, pinned DESC, order_key DESC);
CREATE TABLE message(
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE,
  conversation_id INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES message(id) DEFERRABLE INITIALLY DEFERRED, sibling INTEGER NOT NULL DEFAULT 0,
  role TEXT NOT NULL CHECK(role IN('system','user','assistant','tool')),
  state TEXT NOT NULL CHECK(state IN('queued','generating','complete','stopped','limit','interrupted','error')),
  active_child INTEGER, model_name TEXT NOT NULL DEFAULT '', created_ms INTEGER NOT NULL, finished_ms INTEGER,
  token_count INTEGER NOT NULL DEFAULT -1, error_code TEXT NOT NULL DEFAULT '', error_text TEXT NOT NULL DEFAULT '',
  pinned INTEGER NOT NULL DEFAULT 0, deleted_ms INTEGER,
  UNIQUE(conversation_id, parent_id, sibling)) STRICT;
CREATE INDEX message_parent ON message(parent_id);
CREATE UNIQUE INDEX message_root ON message(conversation_id, sibling) WHERE parent_id IS NULL;
CREATE INDEX message_open ON message(state) WHERE state IN('queued','generating');
CREATE TABLE attachment(
  id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE CHECK(length(sha256)=64), media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL, width INTEGER NOT NULL DEFAULT 0, height INTEGER NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL) STRICT;
CREATE TABLE part(
  id INTEGER PRIMARY KEY, message_id INTEGER NOT NULL REFERENCES message(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN('text','reasoning','image','file','tool_call','tool_result')),
  text TEXT NOT NULL DEFAULT '', attachment_id INTEGER REFERENCES attachment(id), name TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL DEFAULT '{}', content_hash INTEGER NOT NULL, duration_ms INTEGER NOT NULL DEFAULT 0,
  indexed INTEGER NOT NULL DEFAULT 0, UNIQUE(message_id, position)) STRICT;
CREATE INDEX part_attachment ON part(attachment_id) WHERE attachment_id IS NOT NULL;
CREATE TABLE reply_tail(
  message_id INTEGER NOT NULL REFERENCES message(id) ON DELETE CASCADE, seq INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN('text','reasoning','tool_call')), text TEXT NOT NULL, PRIMARY KEY(message_id, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE reply_stats(
  message_id INTEGER PRIMARY KEY REFERENCES message(id) ON DELETE CASCADE,
  prompt_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL, image_tokens INTEGER NOT NULL, reply_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL, queue_us INTEGER NOT NULL, prefill_us INTEGER NOT NULL, first_token_us INTEGER NOT NULL,
  decode_us INTEGER NOT NULL, verify_steps INTEGER NOT NULL, plain_steps INTEGER NOT NULL, baseline_step_us INTEGER NOT NULL DEFAULT 0,
  drafted_copy INTEGER NOT NULL, accepted_copy INTEGER NOT NULL, drafted_mtp INTEGER NOT NULL, accepted_mtp INTEGER NOT NULL,
  drafted_dflash INTEGER NOT NULL, accepted_dflash INTEGER NOT NULL, accepted_at TEXT NOT NULL DEFAULT '[]',
  draft_state TEXT NOT NULL DEFAULT '', served_context INTEGER NOT NULL, profile TEXT NOT NULL, device TEXT NOT NULL,
  model_hash TEXT NOT NULL, drafter_hash TEXT NOT NULL DEFAULT '', mtp_hash TEXT NOT NULL DEFAULT '', engine_build TEXT NOT NULL, arithmetic_version INTEGER NOT NULL,
  template_hash TEXT NOT NULL, prompt_hash TEXT NOT NULL, reply_hash TEXT NOT NULL, seed INTEGER NOT NULL,
  sampler TEXT NOT NULL, seen TEXT NOT NULL DEFAULT '[]',
  sources BLOB NOT NULL DEFAULT x'') STRICT;
CREATE TABLE draft(
  conversation_id INTEGER PRIMARY KEY REFERENCES conversation(id) ON DELETE CASCADE, text TEXT NOT NULL DEFAULT '',
  cursor INTEGER NOT NULL DEFAULT 0, edit_of INTEGER REFERENCES message(id) ON DELETE SET NULL, thinking TEXT NOT NULL DEFAULT 'auto',
  updated_ms INTEGER NOT NULL) STRICT;
CREATE TABLE draft_attachment(
  conversation_id INTEGER NOT NULL REFERENCES draft(conversation_id) ON DELETE CASCADE, position INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL REFERENCES attachment(id), name TEXT NOT NULL, detail TEXT NOT NULL DEFAULT 'full',
  PRIMARY KEY(conversation_id, position)) STRICT, WITHOUT ROWID;
CREATE TABLE queue(
  id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  text TEXT NOT NULL, attachments TEXT NOT NULL DEFAULT '[]', created_ms INTEGER NOT NULL,
  UNIQUE(conversation_id, position)) STRICT;
CREATE TABLE preset(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, system_prompt TEXT NOT NULL DEFAULT '',
  options TEXT NOT NULL DEFAULT '{}', position INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE model_folder(path TEXT PRIMARY KEY, kind TEXT NOT NULL, enabled INTEGER NOT NULL DEFAULT 1, scanned_ms INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE search_word USING fts5(text, content='part', content_rowid='id',
  tokenize="unicode61 remove_diacritics 2 tokenchars '_'");
CREATE VIRTUAL TABLE search_tri USING fts5(text, content='part', content_rowid='id', tokenize='trigram');
CREATE VIRTUAL TABLE search_title USING fts5(title, content='conversation', content_rowid='id',
  tokenize="unicode61 remove_diacritics 2 tokenchars '_'");
)sql";

}  // namespace agens::chat
