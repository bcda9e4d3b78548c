// SPDX-License-Identifier: Apache-2.0
// ModelRun: a model file on a device, fed with token ids in steps of a chosen size. What goldens
// and memcmp tests share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/load_model.h"

namespace agens::test {

struct Rows {
    std::uint32_t vocabRows = 0;
    std::uint32_t hiddenSize = 0;
    std::vector<float> logits;  // [wanted, vocabRows]
    std::vector<float> hidden;  // [wanted, hiddenSize]
};

class ModelRun {
 public:
    explicit ModelRun(const engine::OpenOptions& options);

    bool ok() const { return m_loaded.ok(); }
    std::string errorText() const { return m_loaded.ok() ? "" : m_loaded.error().text(); }
    std::string deviceText() const;
    const engine::LoadedModel& model() const { return *m_loaded; }

    // Feeds `ids` from position 0 in steps of `chunk` rows; logits and hidden rows of `positions`
    // (ascending). `firstPage` shifts the page table, so that two sequences can live side by side.
    Rows feed(const std::vector<std::int32_t>& ids, const std::vector<std::uint32_t>& positions,
              std::uint32_t chunk, std::uint32_t firstPage = 0);
    // The same with a list of step sizes.
    Rows feedSteps(const std::vector<std::int32_t>& ids,
                   const std::vector<std::uint32_t>& positions,
                   const std::vector<std::uint32_t>& steps, std::uint32_t firstPage = 0);

 private:
    Result<engine::LoadedModel> m_loaded;
};

// Positions 0 … count-1.
std::vector<std::uint32_t> allPositions(std::size_t count);
// Index of the first differing bit pattern, or -1.
std::ptrdiff_t firstDifference(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace agens::test
