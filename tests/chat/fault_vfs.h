// SPDX-License-Identifier: Apache-2.0
// FaultVfs: a SQLite VFS over the system's whose n-th changing call (write, truncate, sync) fails,
// once or from then on, as "disk full", a used-up quota or an I/O error; failed writes may be torn
// in half. Syncs do not reach the disk: these tests are about what the code does with an error, and
// run thousands of commits.
#pragma once

#include <atomic>
#include <string>

namespace agens::chat::test {

enum class Fault { Full, Quota, Write, Sync };

class FaultVfs {
 public:
    explicit FaultVfs(std::string name);
    ~FaultVfs();
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;

    const std::string& name() const { return m_name; }
    // The `call`-th changing call from now fails (1 = the next); `forever`: all from it on.
    void failAt(int call, Fault fault, bool forever);
    void heal();
    int calls() const { return m_calls; }
    int failures() const { return m_failures; }
    // Whether this call has to fail; counts it.
    bool takesFault(bool isSync);
    Fault fault() const { return m_fault; }

 private:
    struct Table;
    std::string m_name;
    Table* m_table = nullptr;  // owned; freed after it is unregistered
    std::atomic<int> m_calls{0};
    std::atomic<int> m_failures{0};
    int m_failAt = 0;
    bool m_forever = false;
    Fault m_fault = Fault::Full;
};

}  // namespace agens::chat::test
