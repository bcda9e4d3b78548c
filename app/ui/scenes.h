// SPDX-License-Identifier: Apache-2.0
// Scenes: the window in a named state, drawn without a display into a picture, for tests and
// documentation. Made of a memory store, a fixed wall clock and a scripted engine: no file of the
// person is read or written.
//
// Names: empty, loading, chat, chat-streaming, edit, queue, load-error, narrow-chat, narrow-drawer.
// Errors: InvalidRequest, id "scene.unknown"; Io when the picture cannot be written; Internal when
// the state is not reached in time.
// Thread: UI; runs the event loop until the picture is taken.
#pragma once

#include <QStringList>

#include "app/ui/launch_options.h"
#include "engine/base/result.h"

namespace agens::ui {

QStringList sceneNames();
Result<void> drawScene(const LaunchOptions& options);

}  // namespace agens::ui
