// SPDX-License-Identifier: Apache-2.0
// Makes the types and images of this folder known to an engine, before the first view is loaded.
// Thread: UI.
#pragma once

class QQmlEngine;

namespace agens::ui {

// Image provider `icon`; types LineSpacing and BlockText in the module Agens 1.0.
void installQmlSupport(QQmlEngine& engine);

}  // namespace agens::ui
