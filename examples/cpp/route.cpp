// route: operations of several threads over a replica set that changes meanwhile, with readpref.hpp.
//
// The exit status is 0 when everything went as the comments say, and 1 otherwise.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

#include "readpref.hpp"

namespace {

constexpr const char *down = R"({"topology": {"setName": "rs0", "servers": [
  {"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2},
  {"address": "b.example", "type": "Unknown", "error": "connection refused"}]}})";
constexpr const char *up = R"({"topology": {"setName": "rs0", "servers": [
  {"address": "a.example", "type": "RSPrimary", "roundTripTimeMS": 2},
  {"address": "b.example", "type": "RSSecondary", "roundTripTimeMS": 3},
  {"address": "c.example", "type": "RSSecondary", "roundTripTimeMS": 5}]}})";

// A deployment with what readpref leaves to its host: waiting. Whoever updates wakes those that wait.
class cluster {
 public:
  explicit cluster(std::string_view document) : topology_(document) {}

  void update(std::string_view document) {
    topology_.update(document);
    const std::lock_guard<std::mutex> lock(mutex_); // between a waiter's look at the generation and its sleep is no gap
    changed_.notify_all();
  }

  // The server for an operation, waited for until the deadline.
  std::optional<readpref::checkout> select(const readpref::preference &preference, std::chrono::milliseconds server_selection_timeout) {
    const auto deadline = std::chrono::steady_clock::now() + server_selection_timeout;
    for (;;) {
      const std::uint32_t seen = topology_.generation(); // before selecting, so that no change is slept through
      if (auto found = topology_.select(preference)) return found;
      std::unique_lock<std::mutex> lock(mutex_);
      if (!changed_.wait_until(lock, deadline, [&] { return topology_.generation() != seen; })) return std::nullopt;
    }
  }

  const readpref::topology &topology() const { return topology_; }

 private:
  readpref::topology topology_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

int failures = 0;

void expect(bool good, const char *what) {
  if (good) return;
  std::cerr << "not so: " << what << '\n';
  failures++;
}

}  // namespace

int main() {
  using namespace std::chrono_literals;
  readpref::check_version();

  // A preference that cannot be is an exception that says where.
  try {
    readpref::preference{R"({"readPreference": {"mode": "secondry"}})"};
    expect(false, "a misspelt mode is refused");
  } catch (const readpref::error &e) {
    std::cout << e.code() << " at " << e.path() << ": " << e.what() << '\n';
    expect(e.status() == RP_E_UNKNOWN_MODE && e.path() == "readPreference.mode", "the error says what and where");
  }

  cluster rs0(down);
  const readpref::preference secondary(R"({"uriOptions": "readPreference=secondary"})");

  // Nobody is suitable: the wait ends without a server, and explain says why.
  expect(!rs0.select(secondary, 20ms), "no secondary is up");
  std::cout << rs0.topology().explain(secondary) << '\n';

  // Four threads wait for a secondary, and get one when monitoring finds it. Each then routes 1,000 operations.
  std::atomic<int> served{0}, elsewhere{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; i++) {
        const auto operation = rs0.select(secondary, 10s); // counted on its server until the end of this block
        if (!operation) return;
        const std::string address = rs0.topology().address(operation->server());
        (address == "b.example:27017" || address == "c.example:27017" ? served : elsewhere)++;
      }
    });
  std::this_thread::sleep_for(20ms);
  rs0.update(up);
  for (auto &thread : threads) thread.join();
  std::cout << served << " operations on secondaries, " << elsewhere << " elsewhere\n";
  expect(served == 4000 && elsewhere == 0, "every operation has a secondary");
  expect(rs0.topology().describe().find("operationCount") == std::string::npos, "no operation is counted any more");

  // A handle that moved away is closed with its new owner; the one that is left is empty.
  readpref::preference from(R"({"readPreference": {"mode": "nearest"}})");
  const std::uint32_t handle = from.get();
  { const readpref::preference to = std::move(from); }
  expect(rp_close(handle) == RP_E_HANDLE, "the handle is closed");
  return failures == 0 ? 0 : 1;
}
