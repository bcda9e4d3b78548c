// SPDX-License-Identifier: Apache-2.0
// See the header. The texts stand here and not in the tests because documentation uses them too.
#include "app/ui/scene_content.h"

#include <array>
#include <string>

namespace agens::ui {
namespace {

constexpr std::int64_t kDayMs = 24 * 3'600'000LL;

constexpr std::string_view kAnswer =
    R"(Sourdough rises because wild yeast turns sugar into carbon dioxide, which the dough holds.

## A plan for one loaf

1. Mix 500 g flour with 350 g water and let it rest for **30 minutes**.
2. Add 100 g active starter and 10 g salt.
3. Fold four times, once every half hour.
4. Let it rise until it has grown by half, then shape it.

| Temperature | First rise | Second rise |
|---|---:|---:|
| 20 °C | 9 h | 3 h |
| 24 °C | 6 h | 2 h |
| 28 °C | 4 h | 75 min |

To keep the share of water when you change the flour, compute it:

```python
def water(flour_grams: float, hydration: float = 0.70) -> float:
    """Water for a dough, in grams."""
    return flour_grams * hydration
```

> Watch the dough, not the clock: warm kitchens are quick.

A starter that floats in water is ready to use.)";

struct SceneChat {
    int daysAgo;
    std::string_view question;
    std::string_view answer;
    bool isPinned = false;
};

constexpr std::array kChats = std::to_array<SceneChat>({
    {70, "Names of the moons of Jupiter", "Io, Europa, Ganymede and Callisto are the largest."},
    {12, "Regular expression for a postal code", "For five digits: `^\\d{5}$`."},
    {3, "Explain recursion with a story", "A box holds a smaller box, which holds a smaller box."},
    {1, "Rewrite this paragraph in plain words", "Here is a plainer version."},
    {0, "Packing list for three days of rain", "- Jacket\n- Spare socks\n- Dry bag"},
    {0, "Reading list for this winter", "Start with the short ones.", true},
    {0, "How do I bake a sourdough loaf?", kAnswer},
});

engine::ReplyStats sceneStats() {
    engine::ReplyStats stats;
    stats.promptTokens = 42;
    stats.cachedTokens = 12;
    stats.replyTokens = 318;
    stats.firstTokenUs = 410'000;
    stats.decodeUs = 3'747'000;
    return stats;
}

Result<chat::ConversationId> writeChat(chat::Store& store, const SceneChat& said) {
    TRY(const chat::ConversationId id, store.create().get());
    chat::Outgoing outgoing;
    outgoing.text = said.question;
    TRY(const chat::Sent sent, store.send(id, outgoing).get());
    chat::FinishedReply finished;
    finished.parts.push_back({chat::PartKind::Text, std::string(said.answer), {}, {}});
    finished.stats = sceneStats();
    TRY_VOID(store.finish(sent.reply, finished).get());
    if (said.isPinned) TRY_VOID(store.setPinned(id, true).get());
    return id;
}

}  // namespace

const std::string_view kSceneQuestion = "Can I use rye flour instead?";
const std::string_view kSceneQueued = "And how much salt does rye need?";

const std::string_view kSceneScript = R"(model "Scripted model" context=8192
reply match="rye"
  pace 600 tok/s step=8
  text <<END
Yes. Rye holds more water and builds less gluten, so the loaf stays flatter and moister.

- Replace up to **a third** of the wheat without changing anything else.
- With more rye, add 5 to 10 % water and skip the folds: there is little gluten to
END
  stall 600s
  text <<END
 strengthen.
END
end
reply
  text <<END
This is a scripted reply.
END
end
)";

Result<chat::ConversationId> writeSceneChats(chat::Store& store, SceneClock& clock) {
    chat::ConversationId newest;
    for (const SceneChat& said : kChats) {
        clock.setWallMs(kSceneNowMs - said.daysAgo * kDayMs);
        TRY(newest, writeChat(store, said));
    }
    clock.setWallMs(kSceneNowMs);
    return newest;
}

}  // namespace agens::ui
